import SwiftletBase
public import SwiftletTasks

/// A decoder for WAV files: 8-, 16-, 24-, and 32-bit PCM and 32- and 64-bit float, even with the extensible header.
///
/// Chunks may be in any order; unknown chunks are skipped. The size in the file header is ignored, because programs
/// that write to pipes do not know it.
enum WAVDecoder {
  /// The maximum number of samples in a file, over all channels: 1 GB of floats.
  static let maximumSamples = 1 << 28

  /// The sizes of a data chunk whose writer did not know the size. Such a chunk extends to the end of the file.
  private static let unknownSizes = 0x7FFF_F000...0xFFFF_FFFF

  static func error(_ reason: String) -> TaskError {
    TaskError(.invalidAudio, "the WAV file cannot be used: \(reason)")
  }

  /// Returns the clip in a WAV file.
  ///
  /// - Throws: `TaskError` if the file isn't a WAV file or is damaged, for unsupported encodings, and for samples that
  ///   are not finite.
  static func decode(_ file: UnsafeRawBufferPointer, maximumSamples: Int = maximumSamples) throws(TaskError)
    -> AudioClip
  {
    try requireHeader(file)
    var (format, data): (WAVFormat?, Range<Int>?)
    var offset = 12
    while offset + 8 <= file.count {
      let name = String(decoding: file[offset..<offset + 4], as: UTF8.self)
      let size = Int(file.littleEndian(UInt32.self, at: offset + 4))
      let start = offset + 8
      let end = min(start + size, file.count)
      switch name {
      case "fmt ":
        guard start + size <= file.count else { throw error("the file ends inside of its fmt chunk") }
        if format == nil { format = try WAVFormat(chunk: UnsafeRawBufferPointer(rebasing: file[start..<end])) }
      case "data":
        guard start + size <= file.count || unknownSizes.contains(size) else {
          throw error("it ends after \(file.count - start) of \(size) bytes of samples: it is truncated")
        }
        data = data ?? start..<end
      default: break
      }
      // Chunks begin at even offsets.
      offset = start + size + size % 2
    }
    guard let format else { throw error("it has no fmt chunk, which describes the sample format") }
    guard let data else { throw error("it has no data chunk, which contains the samples") }
    let frameByteCount = format.channelCount * format.encoding.byteCount
    // A writer that did not know the size may have been stopped in the middle of a frame.
    let frameCount = data.count / frameByteCount
    guard frameCount * format.channelCount <= maximumSamples else {
      throw TaskError(
        .limitExceeded,
        "the WAV file has \(frameCount * format.channelCount) samples, the limit is \(maximumSamples); cut it into pieces"
      )
    }
    return try AudioClip(
      samples: try samples(
        UnsafeRawBufferPointer(rebasing: file[data.prefix(frameCount * frameByteCount)]), format.encoding),
      channelCount: format.channelCount, sampleRate: Double(format.sampleRate))
  }

  private static func requireHeader(_ file: UnsafeRawBufferPointer) throws(TaskError) {
    guard file.count >= 12 else { throw error("it has \(file.count) bytes, which is less than its header") }
    switch String(decoding: file[0..<4], as: UTF8.self) {
    case "RIFF": break
    case "RF64", "BW64":
      throw error("it is an RF64 file (for more than 4 GiB), which is not supported; cut it into pieces")
    case "RIFX": throw error("it is big-endian (RIFX), which is not supported")
    default: throw error("it does not begin with RIFF, so it is not a WAV file")
    }
    guard file[8..<12].elementsEqual(Array("WAVE".utf8)) else { throw error("it is a RIFF file, but not of sound") }
  }

  /// The number of samples between two checks of the deadline.
  private static let blockLength = 1 << 16

  /// Returns the values of whole samples. Integer samples are scaled to −1…1.
  private static func samples(
    _ bytes: UnsafeRawBufferPointer, _ encoding: WAVFormat.Encoding
  ) throws(TaskError) -> [Float] {
    var samples = [Float](repeating: 0, count: bytes.count / encoding.byteCount)
    var steps = StepCounter()
    try samples.withUnsafeMutableBufferPointer { (samples) throws(TaskError) in
      for start in stride(from: 0, to: samples.count, by: blockLength) {
        let end = min(start + blockLength, samples.count)
        try steps.step(end - start)
        convert(bytes, encoding, start..<end, into: samples)
      }
    }
    return samples
  }

  /// Converts a range of samples to floats.
  private static func convert(
    _ bytes: UnsafeRawBufferPointer, _ encoding: WAVFormat.Encoding, _ range: Range<Int>,
    into samples: UnsafeMutableBufferPointer<Float>
  ) {
    switch encoding {
    case .unsigned8: for index in range { samples[index] = (Float(bytes[index]) - 128) / 128 }
    case .signed16:
      for index in range { samples[index] = Float(bytes.littleEndian(Int16.self, at: 2 * index)) / 0x8000 }
    case .signed24:
      for index in range {
        let low = Int32(bytes.littleEndian(UInt16.self, at: 3 * index))
        let high = Int32(Int8(bitPattern: bytes[3 * index + 2]))
        samples[index] = Float(high << 16 | low) / 0x80_0000
      }
    case .signed32:
      for index in range { samples[index] = Float(bytes.littleEndian(Int32.self, at: 4 * index)) / 0x8000_0000 }
    case .float32:
      for index in range { samples[index] = Float(bitPattern: bytes.littleEndian(UInt32.self, at: 4 * index)) }
    case .float64:
      for index in range { samples[index] = Float(Double(bitPattern: bytes.littleEndian(UInt64.self, at: 8 * index))) }
    }
  }
}

extension AudioClip {
  /// Creates a clip from a WAV file: 8-, 16-, 24-, or 32-bit PCM, or 32- or 64-bit float.
  ///
  /// Integer samples are scaled to −1…1.
  ///
  /// - Throws: `TaskError`: `invalidAudio` if the file is missing, isn't a WAV file, is damaged, or is compressed, and
  ///   `limitExceeded` if it has more than 2²⁸ samples.
  public init(contentsOf path: String) throws(TaskError) {
    let file: ByteRegion
    do throws(FileError) {
      file = try MappedFile.open(path)
    } catch {
      throw TaskError(.invalidAudio, error.message)
    }
    self = try file.withBytes { (bytes) throws(TaskError) in try WAVDecoder.decode(bytes) }
  }

  /// Creates a clip from a WAV file in memory.
  ///
  /// - Throws: The same errors as ``init(contentsOf:)``.
  public init(wav bytes: [UInt8]) throws(TaskError) {
    self = try ByteRegion(bytes).withBytes { (bytes) throws(TaskError) in try WAVDecoder.decode(bytes) }
  }
}
