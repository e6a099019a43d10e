public import SwiftletEngine

/// Options that all tasks share: which model, and how it is run.
public struct BaseOptions: Sendable, Hashable {
  /// The source of the model.
  public var model: ModelSource
  /// The most threads a call uses, the caller's included; limited to 1…`RuntimeOptions.maximumThreadCount`.
  public var threads: Int
  /// The most calls that a task works on at the same time, each with memory of its own for what a run computes; they
  /// share the model's weights. Further calls wait. Memory is taken when a call first needs it, and kept.
  ///
  /// For images in image mode, texts and audio clips. Frames of a video and blocks of a stream follow one another, so
  /// for these it counts for nothing, nor does it where a model keeps something from one run to the next. Limited to
  /// 1…`RuntimeOptions.maximumThreadCount`; ``threads`` are those of each call.
  public var maxConcurrentCalls: Int
  /// The rounding of integer operators.
  public var numerics: Numerics
  /// The accuracy that may be traded for speed in floating-point models.
  public var precision: Precision
  /// For tasks on images: how pixels become the model's numbers, for models that do not say it in their metadata or say
  /// it wrongly: `(byte − mean) / standard deviation`. `nil` leaves it to the metadata.
  public var inputNormalization: InputNormalization?
  /// The limits of what a model may cost, and of what a call may return.
  public var limits: RuntimeOptions.Limits
  /// The longest that loading the task's models, and one call of the task, may take; `nil` for as long as it takes.
  ///
  /// It is for the whole call, however often that runs a model: for all windows of a clip, and all hands of an image.
  /// Reading files, decoding, and making results count too; waiting until the task is free does not. A block of an
  /// audio stream is a call.
  public var timeout: Duration?
  /// A Boolean value that indicates whether an access outside of an operator's own memory ends the process at once; see
  /// `RuntimeOptions.isChecked`. Slow.
  public var isChecked: Bool

  /// Creates a model, and how it is run; what is not given has its default.
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

  /// How the engine runs the model.
  package var runtimeOptions: RuntimeOptions {
    RuntimeOptions(
      threads: threads, numerics: numerics, precision: precision, limits: limits, timeout: timeout, isChecked: isChecked
    )
  }
}

/// Mean and standard deviation of a model's training images on the scale 0…255: one value for all channels, or one
/// per channel.
public struct InputNormalization: Sendable, Hashable {
  /// The mean that is subtracted from each channel.
  public var mean: [Float]
  /// The standard deviation that each channel is divided by.
  public var standardDeviation: [Float]

  /// Creates one value for all channels, or one per channel.
  public init(mean: [Float], standardDeviation: [Float]) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }
}
