/// Sound as a WAV file of 16-bit integers.
package enum WAVEncoder {
  private static let headerByteCount = 44

  /// The file of one channel.
  ///
  /// - Parameters:
  ///   - samples: in −1…1; what is larger is cut.
  ///   - sampleRate: samples per second.
  /// - Source: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft (1991).
  package static func bytes(_ samples: [Float], sampleRate: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    let dataByteCount = 2 * samples.count
    bytes.reserveCapacity(headerByteCount + dataByteCount)
    append("RIFF")
    append(UInt32(clamping: headerByteCount - 8 + dataByteCount))
    append("WAVEfmt ")
    append(UInt32(16))
    // Integers, one channel.
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(clamping: sampleRate))
    append(UInt32(clamping: 2 * sampleRate))
    append(UInt16(2))
    append(UInt16(16))
    append("data")
    append(UInt32(clamping: dataByteCount))
    for sample in samples { append(Int16(larger(-1, smaller(1, sample)) * 32767)) }
    return bytes
  }
}
