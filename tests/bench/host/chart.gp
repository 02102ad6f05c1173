# SPDX-License-Identifier: MIT
# gnuplot -e "data='FILE'; out='FILE'; unit='...'; rows=N; left=N" chart.gp
#
# Bars that lie, a line `"name" number "label"` for each, on any background; `left` are the characters of the longest name.
set terminal svg size 640, 24 * rows + 40 font "sans-serif,13" noenhanced
set output out
grey = '#757b82'
set border 0
set key off
set tmargin 1.5
set bmargin 0.5
set rmargin 12
set lmargin left + 2
set label unit at screen 0.02, screen 1 - 14.0 / (24 * rows + 40) textcolor rgb grey
unset xtics
set ytics scale 0 textcolor rgb grey
set yrange [rows - 0.4 : -0.6]
set xrange [0 : *]
set style fill solid 1.0 noborder
plot data using (0) : 0 : (0) : 2 : ($0 - 0.3) : ($0 + 0.3) : ytic(1) with boxxyerror linecolor rgb '#3f8fd2', \
	'' using 2 : 0 : 3 with labels left offset 0.7, 0 textcolor rgb grey
