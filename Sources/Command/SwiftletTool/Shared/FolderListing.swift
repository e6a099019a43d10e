import Foundation
import SwiftletBase

/// The names in a folder, as people count them: with numbers in the order of their values.
enum FolderListing {
  /// The paths of what lies in a folder and does not begin with a dot.
  ///
  /// - Throws: `ToolError` when the folder cannot be read.
  static func paths(in folder: String) throws(ToolError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolError(file: folder, reason: "cannot be read: \(error.localizedDescription.excerpt)")
    }
    return names.filter { !$0.hasPrefix(".") }.sorted { first, second in
      let order = first.compare(second, options: .numeric)
      return order == .orderedSame ? first < second : order == .orderedAscending
    }.map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
  }

  /// The paths of the pictures in a folder: what ends as pictures do.
  ///
  /// - Throws: `ToolError` when the folder cannot be read, or holds none.
  static func pictures(in folder: String) throws(ToolError) -> [String] {
    let pictures = try paths(in: folder).filter { path in
      [".jpg", ".jpeg", ".png"].contains { path.lowercased().hasSuffix($0) }
    }
    guard !pictures.isEmpty else {
      throw ToolError(file: folder, reason: "the folder holds no pictures (.jpg, .jpeg or .png)")
    }
    return pictures
  }
}
