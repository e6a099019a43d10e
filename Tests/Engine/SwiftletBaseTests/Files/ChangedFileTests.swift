import Foundation
import SwiftletBase
import Testing

/// Checks bytes whose file is changed by another process.
@Suite("Changed files")
struct ChangedFileTests {
  static let bytes = [UInt8]((0..<300_000).map { UInt8($0 % 251) })

  private func withFile(permissions: Int, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-" + UUID().uuidString).path
    try Data(Self.bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Whether the bytes follow changes of the file, and so are a mapping. The file is changed to find out.
  private func isMapped(_ region: ByteRegion, _ path: String) throws -> Bool {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data([77]))
    try handle.close()
    return region.bytes.first == 77
  }

  @Test(
    "a writable file is copied, so it may be truncated, rewritten, replaced, or removed",
    arguments: [0o644, 0o600, 0o666, 0o464, 0o446])
  func copied(permissions: Int) throws {
    let changes: [(String) throws -> Void] = [
      { #expect(truncate($0, 0) == 0) }, { #expect(truncate($0, 5000) == 0) },
      {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: $0))
        try handle.write(contentsOf: Data(count: 300_000))
      },
      { try Data([1]).write(to: URL(fileURLWithPath: $0), options: .atomic) },
      { try FileManager.default.removeItem(atPath: $0) },
    ]
    for change in changes {
      try withFile(permissions: permissions) { path in
        let region = try MappedFile.open(path)
        try change(path)
        #expect(region.array == Self.bytes)
      }
    }
  }

  @Test("a read-only file is mapped")
  func mapped() throws {
    for permissions in [0o444, 0o400] {
      try withFile(permissions: permissions) { path in
        let region = try MappedFile.open(path)
        #expect(try region.array == Self.bytes && isMapped(region, path))
      }
    }
    try withFile(permissions: 0o644) { path in
      let region = try MappedFile.open(path)
      #expect(try !isMapped(region, path))
    }
  }

  @Test("a file whose size exceeds any memory is an error")
  func sparse() throws {
    try withFile(permissions: 0o644) { path in
      for size in [Int64.max, 1 << 50, 1 << 43] where truncate(path, off_t(size)) == 0 {
        #expect(throws: FileError.self) { try MappedFile.read(path) }
        #expect(throws: FileError.self) { try MappedFile.open(path) }
        return
      }
    }
  }

  @Test("a link is only followed if requested")
  func links() throws {
    try withFile(permissions: 0o644) { path in
      let link = path + "-link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      defer { try? FileManager.default.removeItem(atPath: link) }
      #expect(try MappedFile.read(link).count == Self.bytes.count)
      let error = #expect(throws: FileError.self) { try MappedFile.read(link, followsLinks: false) }
      #expect(error?.code == .notAFile)
    }
  }

  @Test("file names are sanitized in error messages")
  func names() {
    let error = #expect(throws: FileError.self) { try MappedFile.open("/nowhere/\u{1B}[2J\u{202E}x\n") }
    #expect(error?.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } == false)
  }
}
