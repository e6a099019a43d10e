import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  /// FIPS 180-4's examples, the empty message, and lengths on both sides of the end of a block.
  static let known: [(message: [UInt8], digest: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      Array(
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
          .utf8),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    ([UInt8](repeating: 0x61, count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test("returns the published digests", arguments: known.indices)
  func publishedDigests(index: Int) {
    #expect(SHA256.hex(of: Self.known[index].message) == Self.known[index].digest)
  }

  @Test("does not depend on the split of the message")
  func parts() {
    let message = SampleModel.bytes(1000)
    let whole = SHA256.hex(of: message)
    for size in [1, 7, 55, 56, 63, 64, 65, 127, 128, 129, 999] {
      var hash = SHA256()
      for start in stride(from: 0, to: message.count, by: size) {
        hash.update(Array(message[start..<min(message.count, start + size)]))
      }
      #expect(hash.hexDigest() == whole, "parts of \(size)")
    }
  }

  @Test(
    "equals sha256sum for every length around a block",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sha256sum")))
  func sha256sum() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-sha-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let lengths = Array(0...130) + [4095, 4096, 4097, 70_000]
    for length in lengths {
      try Data(SampleModel.bytes(length, seed: UInt64(length))).write(to: folder.appendingPathComponent("\(length)"))
    }
    let output = try OtherProgram.run("/usr/bin/sha256sum", lengths.map(String.init), in: folder.path).output
    let lines = output.split(separator: "\n")
    #expect(lines.count == lengths.count)
    for (line, length) in zip(lines, lengths) {
      #expect(
        line.hasPrefix(SHA256.hex(of: SampleModel.bytes(length, seed: UInt64(length))) + "  \(length)"),
        "length \(length)")
    }
  }
}
