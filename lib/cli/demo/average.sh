#!/bin/sh
# Prints the average of the numbers it is given, rounded to the nearest whole number.

sum=0
for number in "$@"; do
  sum=$((sum + number))
done
echo $((sum / $#))
