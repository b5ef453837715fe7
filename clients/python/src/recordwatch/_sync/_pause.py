"""The counterpart of _async/_pause.py."""

from time import sleep as pause

__all__ = ["pause"]
