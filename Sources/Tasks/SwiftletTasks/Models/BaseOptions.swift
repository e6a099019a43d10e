public import SwiftletEngine

/// Options that all tasks share: the model, and how it runs.
public struct BaseOptions: Sendable, Hashable {
  /// The source of the model.
  public var model: ModelSource
  /// The maximum number of threads per call, including the caller's; limited to 1…`RuntimeOptions.maximumThreadCount`.
  public var threads: Int
  /// The maximum number of calls that a task processes concurrently. Further calls wait.
  ///
  /// Each concurrent call has its own memory for activations; all calls share the model's weights. This memory is
  /// allocated when a call first needs it, and kept.
  ///
  /// The option applies to images in image mode, texts, and audio clips. It has no effect on video frames and blocks of
  /// a stream, because they follow one another, or on models that keep state between runs. Limited to
  /// 1…`RuntimeOptions.maximumThreadCount`; ``threads`` applies to each call.
  public var maxConcurrentCalls: Int
  /// The rounding of integer operators.
  public var numerics: Numerics
  /// The accuracy that floating-point models may trade for speed.
  public var precision: Precision
  /// The normalization of image inputs: `(byte − mean) / standard deviation`. For models whose metadata has no
  /// normalization, or a wrong one. `nil` uses the metadata.
  public var inputNormalization: InputNormalization?
  /// The limits on the resources of a model, and on the results of a call.
  public var limits: RuntimeOptions.Limits
  /// The time limit for loading the task's models, and for each call of the task; `nil` for no limit.
  ///
  /// The limit applies to the whole call, no matter how often the call runs a model: to all windows of a clip, and all
  /// hands in an image. It includes reading files, decoding, and creating results, but not waiting until the task is
  /// free. Each block of an audio stream is one call.
  public var timeout: Duration?
  /// A Boolean value that indicates whether an out-of-bounds access of an operator ends the process at once; see
  /// `RuntimeOptions.isChecked`. Slow.
  public var isChecked: Bool

  /// Creates options. Parameters that you omit have their default values.
  public init(
    model: ModelSource, threads: Int = 1, maxConcurrentCalls: Int = 1,
    numerics: Numerics = .fast, precision: Precision = .full, inputNormalization: InputNormalization? = nil,
    limits: RuntimeOptions.Limits = RuntimeOptions.Limits(), timeout: Duration? = nil, isChecked: Bool = false
  ) {
    self.model = model
    self.threads = threads
    self.maxConcurrentCalls = maxConcurrentCalls
    self.numerics = numerics
    self.precision = precision
    self.inputNormalization = inputNormalization
    self.limits = limits
    self.timeout = timeout
    self.isChecked = isChecked
  }

  /// The options of the engine that runs the model.
  package var runtimeOptions: RuntimeOptions {
    RuntimeOptions(
      threads: threads, numerics: numerics, precision: precision, limits: limits, timeout: timeout, isChecked: isChecked
    )
  }
}

/// The mean and standard deviation of a model's training images, on the scale 0…255: one value for all channels, or one
/// per channel.
public struct InputNormalization: Sendable, Hashable {
  /// The mean that is subtracted from each channel.
  public var mean: [Float]
  /// The standard deviation that each channel is divided by.
  public var standardDeviation: [Float]

  /// Creates a normalization with one value for all channels, or one per channel.
  public init(mean: [Float], standardDeviation: [Float]) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }
}
