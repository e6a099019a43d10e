import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

/// A small image file and its decoded contents.
struct CodecSample: Sendable, CustomTestStringConvertible {
  let name: String
  let width: Int
  let height: Int
  let format: PixelFormat
  /// The digest of the pixels, row by row: see `digest(_:)`.
  let digest: UInt64
  let bytes: [UInt8]

  init(name: String, width: Int, height: Int, format: PixelFormat, digest: UInt64, hexadecimal: String) {
    self.name = name
    self.width = width
    self.height = height
    self.format = format
    self.digest = digest
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
  }

  var testDescription: String { name }

  static func named(_ name: String) throws -> CodecSample {
    try #require(CodecSamples.all.first { $0.name == name })
  }
}

/// Returns the 64-bit FNV-1a hash.
func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// Returns the error of a call, so that its message can be checked.
func codecError(_ body: () throws -> Void) -> ImageCodecError? { thrownError(body) }

func message(of bytes: [UInt8]) -> String {
  codecError { _ = try ImageDecoder.decode(bytes: bytes) }?.description ?? "decoded"
}
