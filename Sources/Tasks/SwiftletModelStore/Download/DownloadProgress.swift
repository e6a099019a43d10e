/// A step of a download.
public enum DownloadProgress: Sendable {
  /// Another process, or another store, works on the model and has locked its folder.
  case waiting
  /// The source is asked for the newest version.
  case checking
  /// The file is being transferred.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes of the file that are there, with those of an interrupted download.
  ///   - total: The size of the file, or `nil` if the server doesn't tell it.
  case downloading(byteCount: Int64, total: Int64?)
  /// All bytes are there and are being checked.
  case verifying
  /// The model is installed. This is the last step.
  case installed(InstalledModel)
}

/// The state of a remote model on this device.
public enum ModelState: Sendable {
  /// The model is not installed, and this store does not download it.
  case absent
  /// This store downloads the model.
  case downloading(DownloadProgress)
  /// The model is installed.
  case installed(ModelRecord)
}
