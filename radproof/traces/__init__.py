"""Real arrivals: production traces as paths, in whole microseconds from the first arrival.

One module a format; `read_trace` tells them apart by their header. `shaping` cuts, scales and
tiles a path, whatever it was read from.
"""

from radproof.traces.formats import FORMATS, Format, Trace, read_trace
from radproof.traces.rows import csv_rows
from radproof.traces.shaping import Dropped, Padding, Shape, Window, drop, pad, shape

__all__ = [
    "FORMATS",
    "Dropped",
    "Format",
    "Padding",
    "Shape",
    "Trace",
    "Window",
    "csv_rows",
    "drop",
    "pad",
    "read_trace",
    "shape",
]
