public import SwiftletTasks

/// How texts are embedded.
public struct TextEmbedderOptions: TextTaskOptions {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  public var l2Normalize: Bool
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  public var quantize: Bool

  /// Default options for a model.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, l2Normalize: false) }

  /// Options; what is not given has its default.
  public init(baseOptions: BaseOptions, l2Normalize: Bool = false, quantize: Bool = false) {
    self.baseOptions = baseOptions
    self.l2Normalize = l2Normalize
    self.quantize = quantize
  }
}
