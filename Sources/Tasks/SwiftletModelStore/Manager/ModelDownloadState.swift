/// How far a remote model is.
public enum ModelDownloadState: Sendable, Hashable {
  /// It is not on this device.
  case absent
  /// The source is being asked for the newest version.
  case checking
  case downloading
  /// All bytes are there and are being checked.
  case verifying
  case installed
}
