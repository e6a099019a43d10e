import Foundation
import SwiftletBase

/// Reads parts of files after checking their sizes, before anything is allocated.
enum GoldenFile {
  static func readWhole(_ path: String, limit: Int) throws(GoldenError) -> [UInt8] {
    let (handle, size) = try open(path)
    defer { try? handle.close() }
    guard size <= limit else {
      throw GoldenError(.wrongSize, file: path, "the file has \(size) bytes, more than the limit of \(limit)")
    }
    return try read(handle, path: path, offset: 0, count: size)
  }

  static func read(_ path: String, offset: Int, count: Int) throws(GoldenError) -> [UInt8] {
    let (handle, size) = try open(path)
    defer { try? handle.close() }
    guard offset >= 0, count >= 0, count <= size, offset <= size - count else {
      throw GoldenError(
        .wrongSize, file: path, "expected \(count) bytes at offset \(offset), the file has \(size)")
    }
    return try read(handle, path: path, offset: offset, count: count)
  }

  private static func open(_ path: String) throws(GoldenError) -> (FileHandle, Int) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw GoldenError(.unreadable, file: path, "no such file")
    }
    guard !isFolder.boolValue else { throw GoldenError(.unreadable, file: path, "is a folder, not a file") }
    // Links to files are accepted, but opening a pipe would block until its other end is opened.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard (try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType) == .typeRegular
    else {
      throw GoldenError(.unreadable, file: path, "is a pipe or a device, not a file")
    }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      return (handle, Int(clamping: try handle.seekToEnd()))
    } catch {
      throw GoldenError(.unreadable, file: path, "cannot be read: \(error.localizedDescription.excerpt)")
    }
  }

  private static func read(
    _ handle: FileHandle, path: String, offset: Int, count: Int
  ) throws(GoldenError) -> [UInt8] {
    do {
      try handle.seek(toOffset: UInt64(offset))
      let bytes = [UInt8](try handle.read(upToCount: count) ?? Data())
      guard bytes.count == count else {
        throw GoldenError(.wrongSize, file: path, "expected \(count) bytes at offset \(offset), got \(bytes.count)")
      }
      return bytes
    } catch let error as GoldenError {
      throw error
    } catch {
      throw GoldenError(.unreadable, file: path, "cannot be read: \(error.localizedDescription.excerpt)")
    }
  }
}
