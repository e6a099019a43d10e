import MediaPipeTasksCommon
import SwiftletImage

extension ImageError: TasksFailureConvertible {
  package var tasksFailure: TasksFailure { TasksFailure(misuse: message) }
}
