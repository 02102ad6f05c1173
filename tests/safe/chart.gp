# SPDX-License-Identifier: MIT
# gnuplot -e "data='FILE'; out='FILE'; rows=N; left=N; bound=N" chart.gp
#
# Bars that lie, a line `"name" half most bound "remark"` for each: half of the faults, and the slowest of all. `left` are the
# characters of the longest name. A line stands at the bound of each; `bound` is that of most, and is named.
set terminal svg size 760, 24 * rows + 60 font "sans-serif,13" noenhanced
set output out
grey = '#757b82'
set border 0
set key off
set tmargin 2.6
set bmargin 0.5
set rmargin 12
set lmargin 0.92 * left + 2
set label 'milliseconds from the fault until the motor is at rest: half of all, and the slowest' at screen 0.02, screen 1 - 14.0 / (24 * rows + 60) textcolor rgb grey
set label sprintf('the bound: %d ms', bound) at bound, -0.9 center textcolor rgb '#c0504d'
unset xtics
set ytics scale 0 textcolor rgb grey
set yrange [rows - 0.4 : -0.6]
set xrange [0 : *]
set style fill solid 1.0 noborder
plot data using (0) : 0 : (0) : 3 : ($0 - 0.3) : ($0 + 0.3) : ytic(1) with boxxyerror linecolor rgb '#a9cdea', \
	'' using (0) : 0 : (0) : 2 : ($0 - 0.3) : ($0 + 0.3) with boxxyerror linecolor rgb '#3f8fd2', \
	'' using 4 : ($0 - 0.5) : (0) : (1) with vectors nohead dashtype 2 linecolor rgb '#c0504d', \
	'' using 3 : 0 : 3 with labels left offset 1.2, 0 textcolor rgb grey, \
	'' using 3 : 0 : 5 with labels left offset 6, 0 textcolor rgb '#c0504d'
