/// A mode that is a choice between single images and a stream, with ML Kit's raw values.
package protocol StreamMode: RawRepresentable, Sendable where RawValue == Int {}

extension StreamMode {
  /// Returns whether this is the stream mode.
  ///
  /// - Parameter kind: The kind of object that has the mode, for the error.
  /// - Throws: `MLKitError` for an unknown value.
  package func isStream(_ kind: String) throws(MLKitError) -> Bool {
    switch rawValue {
    case 0: return false
    case 1: return true
    default:
      throw MLKitError(
        .invalidArgument, "there is no \(kind) mode \(rawValue); give .singleImage (0) or .stream (1)")
    }
  }
}
