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
  private var decoders: [ClassificationOutputDecoder]
  /// Cuts clips. Streams have their own.
  private let windows: WindowMaker

  init(_ options: AudioClassifierOptions) throws(TaskError) {
    let model = try TaskModel(options.baseOptions)
    format = try AudioModelFormat(model)
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "audio classification")
    var decoders: [ClassificationOutputDecoder] = []
    for index in model.outputs.indices {
      decoders.append(try ClassificationOutputDecoder(model, output: index, options.categories))
    }
    self.decoders = decoders
    self.model = model
    windows = WindowMaker(format)
  }

  var categoryNames: [String] { decoders.flatMap { $0.labels?.labels ?? [] } }

  /// What is in each window of a clip, the last one filled up with silence.
  ///
  /// - Throws: `TaskError` for a clip without samples or of another format than the model can be given, and when the
  ///   model fails.
  func process(_ clip: AudioClip) throws(TaskError) -> AudioClassifierResult {
    guard clip.frameCount > 0 else { throw TaskError(.invalidAudio, "the clip has no samples") }
    try windows.begin(sampleRate: clip.sampleRate)
    return try TaskError.wrapping {
      var results: [ClassificationResult] = []
      results.reserveCapacity(windows.expectedWindowCount(of: clip))
      try windows.take(clip) { try append($0, to: &results) }
      try windows.finish { try append($0, to: &results) }
      return AudioClassifierResult(classificationResults: results)
    }
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

  /// Windows follow one another, so their number says when each begins.
  private func append(_ window: UnsafeBufferPointer<Float>, to results: inout [ClassificationResult]) throws {
    results.append(try result(for: window, at: format.step * results.count))
  }

  private func result(for window: UnsafeBufferPointer<Float>, at time: Duration) throws -> ClassificationResult {
    try model.session.withInput(at: 0, as: Float.self) { input in
      // The window has as many samples as the input elements: its length comes from there.
      for index in 0..<min(input.count, window.count) { input[index] = window[index] }
    }
    try model.run()
    var classifications: [Classifications] = []
    classifications.reserveCapacity(decoders.count)
    for index in decoders.indices {
      classifications.append(try model.withRealOutput(index) { try decoders[index].decode($0) })
    }
    return ClassificationResult(classifications: classifications, timestamp: time)
  }
}
