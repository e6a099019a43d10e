/// How pictures are embedded.
public struct ImageEmbedderOptions: VisionTaskOptions {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// How pictures come to the task.
  public var runningMode: RunningMode
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  public var l2Normalize: Bool
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  public var quantize: Bool

  /// Options for single pictures; everything but the model has its default.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, runningMode: .image) }

  /// Options; what is not given has its default.
  public init(
    baseOptions: BaseOptions, runningMode: RunningMode = .image, l2Normalize: Bool = false,
    quantize: Bool = false
  ) {
    self.baseOptions = baseOptions
    self.runningMode = runningMode
    self.l2Normalize = l2Normalize
    self.quantize = quantize
  }
}
