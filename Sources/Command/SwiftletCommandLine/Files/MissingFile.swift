import SwiftletBase

/// Says which file was probably meant by a path that leads nowhere.
package enum MissingFile {
  /// A folder with more names than this is not searched to its end.
  private static let longestListing = 20_000

  /// Whether nothing is there, as opposed to something that cannot be reached.
  package static func isMissing(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return true }
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// `did you mean 'pictures/cat.jpg'?`, or `nil` for a path that leads somewhere, and where nothing like it is found.
  package static func hint(for path: String) -> String? {
    nearest(to: path).map { "did you mean '\($0)'?" }
  }

  /// The file or folder that `path` nearly names: its first part that is missing is looked for among its neighbours.
  static func nearest(to path: String) -> String? {
    guard !path.isEmpty, path.utf8.count < 4096, !path.utf8.contains(0), !exists(path) else { return nil }
    var folder = path.hasPrefix("/") ? "/" : ""
    var parts = path.split(separator: "/").map(String.init)[...]
    while let part = parts.popFirst() {
      if exists(folder + part) {
        folder += part + "/"
        continue
      }
      guard
        let near = Suggestion.nearest(
          to: part, in: names(in: folder.isEmpty ? "." : folder, hidden: part.hasPrefix(".")))
      else { return nil }
      let whole = ([folder + near] + parts).joined(separator: "/")
      return exists(whole) ? whole : folder + near
    }
    return nil
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func names(in folder: String, hidden: Bool) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < longestListing, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != "..", hidden || !name.hasPrefix(".") { names.append(name) }
    }
    // The order of a listing is the file system's.
    return names.sorted()
  }
}
