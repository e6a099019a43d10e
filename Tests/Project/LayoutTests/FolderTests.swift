import Testing

/// The directories of a module are layers: higher layers use the declarations of lower ones, never the reverse.
@Suite("Folders")
struct FolderTests {
  /// The directories of each module from the bottom up. Directories in the same row don't depend on each other.
  static let layers: [String: [[String]]] = [
    "SwiftletEngine": [
      ["Basics"], ["Tensor", "Planner"], ["Budgets"], ["Constants"], ["OperatorProtocol"], ["CustomOperators"],
      ["Graph"], ["Passes", "Threads", "Checked"], ["Program"], ["Model"], ["Session"],
    ],
    // Declarations that several families share come first, then the families in rows. The catalog is next to the
    // directories.
    "SwiftletOperators": [
      ["Basics"], ["Numbers"], ["Elementwise"], ["Windows"], ["Gemm"],
      [
        "Activation", "Comparison", "Control", "Convolution", "Matrix", "Movement", "Normalization", "Pooling",
        "Random", "Recurrent", "Resize", "Signal", "State", "Text",
      ],
      ["Custom", "Indexing", "Quantization", "Reduction", "Shape"], ["Detection", "StableHLO"], ["Patterns"], [""],
    ],
  ]

  @Test("dependencies point down within a module", arguments: layers.keys.sorted())
  func pointDown(module: String) throws {
    let folder = try SourceTree.folder(of: module)
    let files = SourceTree.swiftFiles(in: folder)
    let layers = Self.layers[module] ?? []
    #expect(files.count > 10)
    for folder in Set(files.map { Self.folder(of: $0, in: folder) })
    where !layers.contains(where: { $0.contains(folder) }) {
      Issue.record("\(module): folder '\(folder)' has no place in the list of layers")
    }
    for edge in Self.edgesPointingUp(in: files, below: folder, layers) { Issue.record("\(edge)") }
  }

  @Test("a name from a higher directory is detected, unless it is in a comment or private")
  func findsNames() {
    func file(_ path: String, _ text: String) -> SourceTree.File {
      SourceTree.File(path: "M/\(path).swift", text: text)
    }
    let files = [
      file("Low/A", "struct A {\n  // B is above\n  struct Inner {}\n}\n"),
      file("Low/C", "enum C {\n  case one(B) /* Hidden */\n}\n"),
      file("Side/D", "let value = Outer.B(A())\nlet other: [A.Inner]\nfunc f(_: E) {}\n"),
      file("High/B", "package final class B {\n  struct Nested {}\n}\nprivate struct Hidden {}\nprotocol E: A {}\n"),
      file("High/F", "extension A { func g() -> C { Nested() } }\n"),
    ]
    let found = Self.edgesPointingUp(in: files, below: "M", [["Low", "Side"], ["High"]])
    #expect(
      found == [
        "M/Low/C.swift names B of High, which is above Low", "M/Side/D.swift names A of Low, which is beside Side",
        "M/Side/D.swift names E of High, which is above Side",
      ])
  }

  /// Returns the names in files that are declared in a directory above or next to their own.
  private static func edgesPointingUp(in files: [SourceTree.File], below root: String, _ layers: [[String]]) -> [String]
  {
    var rows: [String: Int] = [:]
    for (row, folders) in layers.enumerated() { for folder in folders { rows[folder] = row } }
    let codes = files.map { (path: $0.path, folder: folder(of: $0, in: root), code: withoutComments($0.text)) }
    var declared: [String: Set<String>] = [:]
    for file in codes {
      for name in declaredTypes(file.code) { declared[String(name), default: []].insert(file.folder) }
    }
    var edges: [String] = []
    for file in codes {
      guard let own = rows[file.folder] else { continue }
      for name in names(file.code).sorted() {
        guard let folders = declared[name], !folders.contains(file.folder) else { continue }
        for folder in folders.sorted() {
          guard let other = rows[folder], other >= own else { continue }
          edges.append(
            "\(file.path) names \(name) of \(folder), which is \(other > own ? "above" : "beside") \(file.folder)")
        }
      }
    }
    return edges
  }

  /// Returns the directory of a module that contains a file; empty for files in the module's own directory.
  private static func folder(of file: SourceTree.File, in root: String) -> String {
    let parts = file.path.dropFirst(root.count + 1).split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : ""
  }

  private static func withoutComments(_ text: String) -> String {
    var code = ""
    var rest = text[...]
    while let slash = rest.firstRange(of: "/") {
      code += rest[..<slash.lowerBound]
      let isBlock = rest[slash.upperBound...].first == "*"
      guard isBlock || rest[slash.upperBound...].first == "/" else {
        code += "/"
        rest = rest[slash.upperBound...]
        continue
      }
      let end = rest[slash.upperBound...].firstRange(of: isBlock ? "*/" : "\n")
      rest = rest[((isBlock ? end?.upperBound : end?.lowerBound) ?? rest.endIndex)...]
    }
    return code + rest
  }

  private static let modifiers: Set<Substring> = ["package", "public", "internal", "final", "indirect"]
  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// Returns the top-level types that a file declares for other files.
  private static func declaredTypes(_ code: String) -> [Substring] {
    code.split(separator: "\n").compactMap { line in
      guard line.first?.isWhitespace == false else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
        .drop { modifiers.contains($0) || $0.hasPrefix("@") }
      return words.first.map(kinds.contains) == true ? words.dropFirst().first : nil
    }
  }

  /// Returns the identifiers in a file that can be types of the module: capitalized, and not members of other types.
  private static func names(_ code: String) -> Set<String> {
    var names: Set<String> = []
    var word: [UInt8] = []
    var before: UInt8 = 0, last: UInt8 = 0
    for byte in Array(code.utf8) + [0] {
      let isPart =
        byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      if isPart {
        if word.isEmpty { before = last }
        word.append(byte)
      } else if let first = word.first {
        if before != UInt8(ascii: "."), UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first {
          names.insert(String(decoding: word, as: UTF8.self))
        }
        word.removeAll(keepingCapacity: true)
      }
      last = byte
    }
    return names
  }
}
