/// One task's steps from an input to its output.
///
/// - Thread safety: one caller at a time; ``TaskRunner`` ensures that.
package protocol TaskPipeline: AnyObject, SendableMetatype {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  /// The state that a frame of a video leaves for the next frame.
  associatedtype Memory: FrameMemory = NoMemory

  /// Returns the state before the first frame of a video.
  func makeMemory() -> Memory

  /// Returns the output for an input that has nothing to do with other inputs.
  ///
  /// - Throws: Any error; the pipeline stays usable.
  func process(_ input: Input) throws -> Output

  /// Returns the output for the next frame of a video.
  ///
  /// - Parameters:
  ///   - input: The frame.
  ///   - time: The time of the frame, later than the time of the frame before.
  ///   - memory: The state that the frames before have left. It counts for nothing if the frame fails.
  /// - Throws: Any error; the pipeline stays usable.
  func process(_ input: Input, at time: Duration, _ memory: inout Memory) throws -> Output
}

extension TaskPipeline where Memory == NoMemory {
  package func makeMemory() -> NoMemory { NoMemory() }

  package func process(_ input: Input, at time: Duration, _ memory: inout NoMemory) throws -> Output {
    try process(input)
  }
}

/// The state that a frame of a video leaves for the next frame.
package protocol FrameMemory: Sendable {
  /// Takes on the state of another memory, and keeps its own allocations.
  mutating func assign(_ other: Self)
}

/// The memory of tasks whose frames have nothing to do with each other.
package struct NoMemory: FrameMemory {
  package init() {}

  package mutating func assign(_ other: NoMemory) {}
}

extension Array {
  /// Takes on the elements of another array without sharing its memory.
  package mutating func assign(_ other: [Element]) {
    removeAll(keepingCapacity: true)
    append(contentsOf: other)
  }
}
