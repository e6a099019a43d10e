// What all facades have in common. Where a name is the tasks' too, a file says which one it means by importing it alone.
@_exported public import MediaPipeTasksCommon
