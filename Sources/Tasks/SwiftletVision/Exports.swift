// Modules with types in the public declarations of the tasks, re-exported so that one import is enough.
@_exported public import SwiftletImage
@_exported public import SwiftletTasks
