import SwiftletImage
import SwiftletTasks

extension ImageError: TaskErrorConvertible {
  package var taskError: TaskError { TaskError(.invalidImage, message) }
}
