import SwiftletBase
public import SwiftletTasks

extension AudioClip {
  /// The sound of a WAV file: PCM of 8, 16, 24 or 32 bits, or floats of 32 or 64 bits.
  ///
  /// Integers become numbers in −1…1.
  ///
  /// - Throws: `TaskError`: `invalidAudio` when the file is missing, is no WAV file, is damaged, or is compressed, and
  ///   `limitExceeded` when it has more than 2²⁸ samples.
  public init(contentsOf path: String) throws(TaskError) {
    let file: ByteRegion
    do throws(FileError) {
      file = try MappedFile.open(path)
    } catch {
      throw TaskError(.invalidAudio, error.message)
    }
    self = try file.withBytes { (bytes) throws(TaskError) in try WAVDecoder.decode(bytes) }
  }

  /// The sound of a WAV file in memory.
  ///
  /// - Throws: `TaskError`, as ``init(contentsOf:)``.
  public init(wav bytes: [UInt8]) throws(TaskError) {
    self = try ByteRegion(bytes).withBytes { (bytes) throws(TaskError) in try WAVDecoder.decode(bytes) }
  }
}
