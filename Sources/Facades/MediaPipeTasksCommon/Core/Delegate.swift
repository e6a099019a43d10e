/// What a model runs on.
#if canImport(ObjectiveC)
  @objc(MPPDelegate)
#endif
public enum Delegate: UInt, Sendable {
  /// The processor.
  case CPU = 0
  /// Accepted, but there is no graphics path: the model runs on the processor, with the processor's numbers.
  case GPU = 1
}
