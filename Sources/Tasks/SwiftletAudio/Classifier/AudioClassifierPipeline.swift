import SwiftletEngine
import SwiftletSchema
import SwiftletTasks

/// The steps from sound to its classes.
///
/// One caller at a time. It stays usable when it throws.
///
/// - Source: MediaPipe's audio classifier. Beyond it, models with quantised outputs are accepted.
final class AudioClassifierPipeline {
  let format: AudioModelFormat
  private let model: TaskModel
  private var heads: ClassificationHeads
  /// Cuts clips. Streams, and sequences of results, have their own.
  private let windows: WindowMaker

  /// What the result of a window counts besides its categories.
  private static let windowByteCount = 128

  init(_ options: AudioClassifierOptions) throws {
    model = try TaskModel(options.baseOptions)
    format = try AudioModelFormat(model)
    heads = try ClassificationHeads(model, options.categories, task: "audio classification")
    // One for clips, and one for the stream or a sequence of results.
    try model.results.keep(
      2 * format.windowLength * format.channelCount, each: MemoryLayout<Float>.size, for: "windows of audio")
    windows = WindowMaker(format)
  }

  var categoryNames: [String] { heads.categoryNames }

  /// What is in each window of a clip, the last one filled up with silence.
  ///
  /// - Throws: `TaskError` for a clip without samples, of another format than the model can be given, or of too many
  ///   windows, when the model fails, and if the results take too much memory or time.
  func process(_ clip: AudioClip) throws(TaskError) -> AudioClassifierResult {
    let windows = try ClipWindows(clip, windows)
    return try TaskError.wrapping {
      var results: [ClassificationResult] = []
      results.reserveCapacity(windows.expectedCount)
      while let result = try windows.next(result) { results.append(result) }
      return AudioClassifierResult(classificationResults: results)
    }
  }

  /// What is in the next window of a clip; `nil` at its end.
  ///
  /// - Throws: `TaskError`, as ``process(_:)``.
  func process(next windows: ClipWindows) throws(TaskError) -> ClassificationResult? {
    try TaskError.wrapping { try windows.next(result) }
  }

  /// What becomes of the windows that a block of a stream fills.
  ///
  /// - Throws: `TaskError` when nothing of the block could be used.
  func process(
    _ block: AudioClip, at time: Duration, of stream: AudioStream
  ) throws(TaskError) -> [LiveResult<ClassificationResult>] {
    var results: [LiveResult<ClassificationResult>] = []
    try stream.take(block, at: time) { window, time in
      let result = Swift.Result { () throws(TaskError) in
        try TaskError.wrapping { try self.result(for: window, at: time) }
      }
      results.append(LiveResult(timestamp: time, result: result))
    }
    return results
  }

  private func result(for window: UnsafeBufferPointer<Float>, at time: Duration) throws -> ClassificationResult {
    try model.results.charge(
      1, each: Self.windowByteCount, for: "the windows of a clip", advice: "take them one by one with results(of:)")
    try model.session.withInput(0, as: Float.self) { input in
      // The window has as many samples as the input elements: its length comes from there.
      for index in 0..<min(input.count, window.count) { input[index] = window[index] }
    }
    try model.run()
    return ClassificationResult(classifications: try heads.decode(model), timestamp: time)
  }
}
