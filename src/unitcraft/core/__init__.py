"""The vocabulary: frozen slotted values, standard library only, no input or output.

Invariant: nothing in this package opens a file, prints, or imports another
package of unitcraft.
"""
