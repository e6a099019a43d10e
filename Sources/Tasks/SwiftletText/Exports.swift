// Types in the public declarations of the tasks, re-exported so that one import is enough.
@_exported public import SwiftletTasks
