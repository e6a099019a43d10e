import SwiftletTasks

/// The steps from audio to its classes.
///
/// - Source: MediaPipe's audio classifier. Beyond it, models with quantized outputs are accepted.
final class AudioClassifierPipeline: TaskPipeline {
  let format: AudioModelFormat
  private let model: TaskModel
  private var heads: ClassificationHeads
  /// Cuts clips. Streams, and sequences of windows, have their own.
  private let windows: WindowMaker

  /// The size of a window's result without its categories.
  private static let windowByteCount = 128

  init(_ options: AudioClassifierOptions, _ context: ModelContext) throws {
    model = try TaskModel(context)
    format = try AudioModelFormat(model)
    heads = try ClassificationHeads(model, options.categories, task: "audio classification")
    // One for clips, and one for the stream or a sequence of windows.
    try model.results.keep(
      2 * format.windowLength * format.channelCount, each: MemoryLayout<Float>.size, for: "windows of audio")
    windows = WindowMaker(format)
  }

  var categoryNames: [String] { heads.categoryNames }

  /// Returns the classification of each window of a clip.
  ///
  /// - Throws: `TaskError` for a clip that the model cannot be given, and if the results take too much memory or time.
  func process(_ clip: AudioClip) throws -> AudioClassification {
    let windows = try ClipWindows(clip, windows)
    var results: [AudioClassification.Window] = []
    results.reserveCapacity(windows.expectedCount)
    while let result = try process(next: windows) { results.append(result) }
    return AudioClassification(windows: results)
  }

  /// Returns the classification of the next window of a clip; `nil` at its end.
  func process(next windows: ClipWindows) throws -> AudioClassification.Window? {
    try windows.next { window, time in
      AudioClassification.Window(time: time, classification: try classification(of: window))
    }
  }

  /// Returns the results of the windows that a block of a stream fills.
  ///
  /// - Throws: `TaskError` if nothing of the block could be used.
  func process(
    _ block: AudioClip, at time: Duration, of stream: StreamWindows
  ) throws -> [FrameResult<Classification>] {
    var results: [FrameResult<Classification>] = []
    try stream.take(block, at: time) { window, time in
      let result = Result { () throws(TaskError) in try TaskError.wrapping { try classification(of: window) } }
      results.append(FrameResult(time: time, result: result))
    }
    return results
  }

  private func classification(of window: UnsafeBufferPointer<Float>) throws -> Classification {
    try model.results.charge(
      1, each: Self.windowByteCount, for: "the windows of a clip", advice: "take them one by one with windows(of:)")
    try model.session.withInput(0, as: Float.self) { input in
      // The window has as many samples as the input elements: its length comes from there.
      for index in 0..<min(input.count, window.count) { input[index] = window[index] }
    }
    try model.run()
    return try heads.decode(model)
  }
}
