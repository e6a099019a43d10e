import Foundation
import SwiftletCommandLine

/// The folder of the demonstration. Its files are written aside and appear together, when all are there; the page comes
/// last.
struct DemoFolder {
  static let page = "index.html"

  let path: String
  private let aside: String
  private let isNew: Bool
  private var names: [String] = []

  /// - Throws: `ToolError` when nothing can be written there.
  init(_ path: String) throws {
    self.path = path
    isNew = !FileManager.default.fileExists(atPath: path)
    aside = path + "/.swiftlet-demo-" + UUID().uuidString
    try OutputFile.makeFolder(aside)
  }

  /// - Parameter name: relative to the folder; folders in it are made.
  mutating func write(_ bytes: [UInt8], as name: String) throws {
    if let slash = name.lastIndex(of: "/") { try OutputFile.makeFolder(aside + "/" + name[..<slash]) }
    try OutputFile.write(bytes, to: aside + "/" + name)
    names.append(name)
  }

  /// Whether a file was written.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Makes the files appear, in place of those of an earlier demonstration.
  func publish() throws {
    // Checked before anything is moved: what could prevent it.
    for name in names {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder), isFolder.boolValue {
        throw ToolError(file: path + "/" + name, reason: "cannot be written: is a folder")
      }
    }
    for name in names where name.contains("/") { try OutputFile.makeFolder(path + "/" + Self.folder(name)) }
    // Of a longer video, or of more pictures, some would be left.
    for prefix in ["frame_", "picture_"] {
      for folder in Set(names.filter { $0.contains("/" + prefix) }.map(Self.folder)) {
        let old = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []
        for name in old where name.hasPrefix(prefix) {
          try? FileManager.default.removeItem(atPath: "\(path)/\(folder)/\(name)")
        }
      }
    }
    for name in names.filter({ $0 != Self.page }) + names.filter({ $0 == Self.page }) {
      let target = path + "/" + name
      guard rename(aside + "/" + name, target) == 0 else {
        throw ToolError(file: target, reason: "cannot be written: " + String(cString: strerror(errno)))
      }
    }
    try? FileManager.default.removeItem(atPath: aside)
  }

  /// Removes what was written, and the folder if it was not there before.
  func discard() {
    try? FileManager.default.removeItem(atPath: aside)
    if isNew, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func folder(_ name: String) -> String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
}
