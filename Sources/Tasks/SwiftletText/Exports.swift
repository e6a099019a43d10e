// What the tasks' own declarations show, so that one import serves.
@_exported public import SwiftletTasks
