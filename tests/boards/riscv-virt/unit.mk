# The lengths of its values have 16 bits.
UNIT_SIZES = -DUNIT_HASTE=16 -DUNIT_TEXT=65000
