import Foundation
import SwiftletCommandLine
import Testing

@Suite("Atomic files")
final class AtomicFileTests {
  let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }

  @Test("creates a new file and leaves nothing else behind")
  func makesFile() throws {
    try AtomicFile.write([1, 2, 3], to: folder + "/new.bin")
    #expect(bytes(folder + "/new.bin") == [1, 2, 3])
    #expect(try names() == ["new.bin"])
  }

  @Test("replaces a file, shorter or longer, and keeps its permissions")
  func replacesFile() throws {
    let path = folder + "/old.bin"
    try AtomicFile.write([UInt8](repeating: 7, count: 100_000), to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try AtomicFile.write([], to: path)
    #expect(bytes(path) == [])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try names() == ["old.bin"])
  }

  @Test("replaces a link's target and keeps the link")
  func followsLinks() throws {
    try AtomicFile.write([1], to: folder + "/target.bin")
    try FileManager.default.createSymbolicLink(atPath: folder + "/link.bin", withDestinationPath: "target.bin")
    try AtomicFile.write([2], to: folder + "/link.bin")
    #expect(bytes(folder + "/target.bin") == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link.bin") == "target.bin")
  }

  @Test("reports the file and the reason if it cannot be written")
  func reportsFailures() throws {
    for path in [folder + "/none/file.bin", folder, "", "a\u{0}b"] {
      let error = #expect(throws: AtomicFile.Failure.self) { try AtomicFile.write([1], to: path) }
      #expect(error?.path == path && error?.reason.isEmpty == false)
      #expect(error?.description.hasPrefix(path + ": ") == true)
    }
    #expect(try names() == [])
  }

  @Test("writes to a device instead of replacing it")
  func writesToDevices() throws {
    try AtomicFile.write([1, 2, 3], to: "/dev/null")
    let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
  }

  #if os(Linux)
    @Test("fails if the disk is full")
    func reportsFullDisk() {
      let error = #expect(throws: AtomicFile.Failure.self) { try AtomicFile.write([1], to: "/dev/full") }
      #expect(error?.reason.contains("space") == true)
    }
  #endif
}
