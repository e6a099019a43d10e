// Images, and what the original's framework brings along with one import.
@_exported public import MLImage
