"""The names of the models' classes."""

# In the order of GenerateScenes' category numbers.
CATEGORIES = ('ball', 'cube', 'cone', 'cylinder', 'ring', 'star', 'heart', 'mug')
CATEGORIES_GERMAN = ('Ball', 'Würfel', 'Kegel', 'Zylinder', 'Ring', 'Stern', 'Herz', 'Tasse')

SOUNDS = ('silence', 'tone', 'two tones', 'rising tone', 'falling tone', 'warble', 'clicks', 'noise')
SOUNDS_GERMAN = ('Stille', 'Ton', 'zwei Töne', 'steigender Ton', 'fallender Ton', 'Trillern', 'Klicken', 'Rauschen')
TOPICS, TOPICS_GERMAN = ('weather', 'cooking', 'travel', 'sport'), ('Wetter', 'Kochen', 'Reise', 'Sport')

# Class 0 of the segmenter; the categories follow it.
BACKGROUND, BACKGROUND_GERMAN = 'background', 'Hintergrund'

VERSION = '1.0.0'
AUTHOR = 'The Swiftlet authors'
LICENSE = 'Apache License, Version 2.0, as the project that it comes with'
