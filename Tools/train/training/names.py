"""What the models know by name."""

# In the order of DrawScenes' category numbers.
CATEGORIES = ('ball', 'cube', 'cone', 'cylinder', 'ring', 'star', 'heart', 'mug')
CATEGORIES_GERMAN = ('Ball', 'Würfel', 'Kegel', 'Zylinder', 'Ring', 'Stern', 'Herz', 'Tasse')

# Class 0 of the segmenter; the categories follow it.
BACKGROUND, BACKGROUND_GERMAN = 'background', 'Hintergrund'

VERSION = '1.0.0'
AUTHOR = 'The Swiftlet authors'
LICENSE = 'Apache License, Version 2.0, as the project that it comes with'
