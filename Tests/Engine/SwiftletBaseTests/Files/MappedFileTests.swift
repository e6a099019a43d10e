import Foundation
import SwiftletBase
import Testing

@Suite("MappedFile")
struct MappedFileTests {
  /// Runs a test in a directory of its own, which is deleted afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test("maps and reads the bytes of a file")
  func mapsAndReads() throws {
    try withFolder { folder in
      let bytes = [UInt8]((0..<10_000).map { UInt8($0 % 251) })
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/file"))
      #expect(try MappedFile.map(folder + "/file").array == bytes)
      #expect(try MappedFile.read(folder + "/file").array == bytes)
    }
  }

  @Test("reads dropped pages again, whichever part was dropped")
  func dropsPages() throws {
    try withFolder { folder in
      let bytes = [UInt8]((0..<50_000).map { UInt8($0 % 251) })
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/file"))
      let region = try MappedFile.map(folder + "/file")
      for (offset, count) in [(0, 50_000), (4096, 4096), (1, 9000), (100, 10), (49_000, 1000), (7, 0)] {
        region.slice(offset: offset, count: count)?.dropPages()
        #expect(region.array == bytes)
      }
      let memory = ByteRegion(bytes)
      memory.dropPages()
      #expect(memory.array == bytes)
    }
  }

  @Test("keeps the mapping while a slice of it exists, even if the file is deleted")
  func keepsTheMapping() throws {
    try withFolder { folder in
      try Data([1, 2, 3, 4]).write(to: URL(fileURLWithPath: folder + "/file"))
      var slice = try MappedFile.map(folder + "/file").slice(offset: 2, count: 2)
      try FileManager.default.removeItem(atPath: folder + "/file")
      #expect(slice.map { $0.array } == [3, 4])
      slice = nil
    }
  }

  @Test("names a missing file, a directory, an empty file, and an unreadable one")
  func namesTheFault() throws {
    try withFolder { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/empty"))
      try Data([1]).write(to: URL(fileURLWithPath: folder + "/forbidden"))
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder + "/forbidden")
      var cases: [(path: String, code: FileError.Code, message: String)] = [
        (folder + "/none", .notFound, "there is no file"),
        (folder + "/empty/file", .notFound, "there is no file"),
        (folder, .notAFile, "is a directory"),
        (folder + "/empty", .empty, "is empty"),
        ("/dev/null", .notAFile, "is not a regular file"),
      ]
      // Root can read everything.
      if geteuid() != 0 { cases.append((folder + "/forbidden", .permissionDenied, "no permission")) }
      for (path, code, message) in cases {
        for open in [{ try MappedFile.map($0) }, { try MappedFile.read($0) }] as [(String) throws -> ByteRegion] {
          let error = #expect(throws: FileError.self) { try open(path) }
          #expect(error?.code == code)
          #expect(error?.path == path)
          #expect(error?.message.contains(message) == true)
          #expect(error?.message.contains(path) == true)
        }
      }
    }
  }

  @Test("does not wait for the writer of a named pipe")
  func doesNotWaitForPipes() throws {
    try withFolder { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      let error = #expect(throws: FileError.self) { try MappedFile.map(folder + "/pipe") }
      #expect(error?.code == .notAFile)
    }
  }

  @Test("does not read a file that is larger than the caller accepts")
  func limitsSize() throws {
    try withFolder { folder in
      try Data(count: 11).write(to: URL(fileURLWithPath: folder + "/file"))
      #expect(try MappedFile.read(folder + "/file", maximumByteCount: 11).count == 11)
      let error = #expect(throws: FileError.self) {
        try MappedFile.read(folder + "/file", maximumByteCount: 10)
      }
      #expect(error?.code == .tooLarge)
    }
  }
}

@Suite("ByteRegion")
struct ByteRegionTests {
  private let region = ByteRegion([1, 2, 3, 4, 5, 6, 7, 8, 9])

  @Test("slices only within its bounds")
  func slices() {
    #expect(region.slice(offset: 2, count: 3).map { $0.array } == [3, 4, 5])
    #expect(region.slice(offset: 9, count: 0)?.count == 0)
    for (offset, count) in [(-1, 2), (8, 2), (0, 10), (10, 0), (1, Int.max), (Int.max, 1), (Int.min, 1), (0, -1)] {
      #expect(region.slice(offset: offset, count: count) == nil, "\(offset) \(count)")
    }
  }

  @Test("reads little-endian integers at any address within its bounds")
  func readsIntegers() {
    #expect(region.integer(UInt16.self, at: 1) == 0x0302)
    #expect(region.integer(UInt64.self, at: 1) == 0x0908_0706_0504_0302)
    #expect(region.integer(UInt64.self, at: 2) == nil)
    #expect(region.integer(UInt8.self, at: -1) == nil)
    #expect(region.integer(UInt8.self, at: .max) == nil)
    #expect(region.byte(at: 8) == 9)
    #expect(region.byte(at: 9) == nil)
    #expect(ByteRegion.empty.integer(UInt8.self, at: 0) == nil)
  }

  @Test("shows bytes as characters or in hexadecimal")
  func showsBytes() {
    #expect(ByteRegion(Array("TFL3".utf8)).printable(at: 0, count: 4) == "\"TFL3\"")
    #expect(ByteRegion([0, 255]).printable(at: 0, count: 4) == "the bytes 00 ff")
    #expect(region.printable(at: 8, count: .max) == "the bytes 09")
  }
}
