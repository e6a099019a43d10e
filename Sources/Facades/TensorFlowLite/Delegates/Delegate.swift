import TensorFlowLiteCommon

/// Something that a model may be asked to run on in place of the processor.
///
/// All are accepted, and none is used: models run on the processor, with the processor's numbers.
public protocol Delegate: AnyObject {}

extension Delegate {
  /// Says once for each kind of delegate that it is not used.
  func warn() { DeveloperMessages.warnOfProcessor(insteadOf: "\(type(of: self))") }
}
