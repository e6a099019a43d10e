// The types that all facades share. Some have the same names as types of Swiftlet's tasks. A file imports such a type
// explicitly to choose one of the two.
@_exported public import MediaPipeTasksCommon
