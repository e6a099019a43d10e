import SwiftletTestSupport

/// A task with a model and an image of the test data.
struct TaskCase {
  enum Work {
    /// Single images.
    case pictures(MeasuredTask)
    /// Frames of a video that follow one another.
    case tracking(MeasuredTask)
    /// Single texts, sounds, or images with a point.
    case calls(MeasuredCall, MeasuredCall.Subject)
    /// A frame of a stream: objects are found, followed, and now and then one is named.
    case stream
  }

  var work: Work
  var model: String
  /// An image of the test data; for calls what their subject is called.
  var picture: String
  var threads: Int

  /// What kind of work it is.
  var task: String {
    switch work {
    case .pictures(let task): task.name
    case .tracking(let task): task.name + "-tracking"
    case .calls(let task, _): task.name
    case .stream: "stream"
    }
  }

  var name: String { "\(task) \(model) \(picture)" }

  /// Where the image or the sound is, or the text itself: what the peer is told.
  var subject: String {
    if case .calls(_, let subject) = work { subject.told } else { MeasuredCall.Subject.picture(picture).told }
  }

  static func all(threads: [Int]) -> [TaskCase] {
    guard TestData.isAvailable else { return [] }
    var cases: [TaskCase] = []
    func add(_ work: Work, _ models: [String], _ pictures: [String]) {
      for model in models {
        for picture in pictures {
          cases += threads.map { TaskCase(work: work, model: model, picture: picture, threads: $0) }
        }
      }
    }
    for task in MeasuredTask.all {
      add(.pictures(task), task.models, task.pictures)
      if task.tracks { add(.tracking(task), task.models, task.pictures) }
    }
    for task in MeasuredCall.all {
      for subject in task.subjects { add(.calls(task, subject), task.models, [subject.name]) }
    }
    add(.stream, [StreamOfFrames.model], StreamOfFrames.pictures)
    return cases
  }
}
