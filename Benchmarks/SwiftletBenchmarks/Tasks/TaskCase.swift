import SwiftletTestSupport

/// A task with a model and an image of the test data.
struct TaskCase {
  enum Work {
    /// Single images.
    case images(MeasuredTask)
    /// Consecutive frames of a video.
    case tracking(MeasuredTask)
    /// Single texts, audio clips, or images with a point.
    case calls(MeasuredCall, MeasuredCall.Subject)
    /// The frames of a stream, in which objects are detected, tracked, and occasionally classified.
    case stream
  }

  var work: Work
  var model: String
  /// An image of the test data; for calls, the name of their subject.
  var input: String
  var threads: Int

  /// The name of the task.
  var task: String {
    switch work {
    case .images(let task): task.name
    case .tracking(let task): task.name + "-tracking"
    case .calls(let task, _): task.name
    case .stream: "stream"
    }
  }

  var name: String { "\(task) \(model) \(input)" }

  /// The input in a request to the peer: the path of the image or audio, or the text.
  var subject: String {
    if case .calls(_, let subject) = work { subject.told } else { MeasuredCall.Subject.image(input).told }
  }

  static func all(threads: [Int]) -> [TaskCase] {
    guard TestData.isAvailable else { return [] }
    var cases: [TaskCase] = []
    func add(_ work: Work, _ models: [String], _ inputs: [String]) {
      for model in models {
        for input in inputs {
          cases += threads.map { TaskCase(work: work, model: model, input: input, threads: $0) }
        }
      }
    }
    for task in MeasuredTask.all {
      add(.images(task), task.models, task.imageFiles)
      if task.tracks { add(.tracking(task), task.models, task.imageFiles) }
    }
    for task in MeasuredCall.all {
      for subject in task.subjects { add(.calls(task, subject), task.models, [subject.name]) }
    }
    add(.stream, [StreamOfFrames.model], StreamOfFrames.imageFiles)
    return cases
  }
}
