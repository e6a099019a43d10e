/// How far a remote model is.
public enum ModelDownloadState: Sendable, Hashable {
  /// It is not on this device.
  case absent
  /// Another process, or another manager, works on it and has locked its folder.
  case waiting
  /// The source is being asked for the newest version.
  case checking
  /// Bytes of it are on their way.
  case downloading
  /// All bytes are there and are being checked.
  case verifying
  /// It is on this device, whole and checked.
  case installed
}
