import Foundation
import Testing

/// Checks the privacy manifests for Apple's stores:
/// https://developer.apple.com/documentation/bundleresources/privacy-manifest-files
@Suite("Privacy manifests")
struct PrivacyManifestTests {
  /// The targets with a manifest. Each app product that makes relevant calls contains one of them.
  static let targets = ["SwiftletBase", "SwiftletModelStore"]

  /// The calls that require a reason, from Apple's list, as patterns for Swift and C.
  static let calls: [String: String] = [
    "NSPrivacyAccessedAPICategoryFileTimestamp":
      #"\b(?:f|l)?stat(?:at)?\((?!\))|\bf?getattrlist(?:at|bulk)?\(|\b(?:fileM|m|contentM|c)(?:odification|reation)Date\b|\.(?:creationDate|contentModificationDate)Key\b"#,
    "NSPrivacyAccessedAPICategoryDiskSpace":
      #"\bf?statv?fs\((?!\))|\bvolume(?:Available|Total)Capacity|\bsystem(?:Free)?Size\b|\battributesOfFileSystem\b"#,
    "NSPrivacyAccessedAPICategorySystemBootTime": #"\bsystemUptime\b|\bmach_absolute_time\b"#,
    "NSPrivacyAccessedAPICategoryUserDefaults": #"\bUserDefaults\b"#,
    "NSPrivacyAccessedAPICategoryActiveKeyboards": #"\bactiveInputModes\b"#,
  ]

  /// Apple's reasons that apply to these libraries: files of the app, files that a user granted access to, and disk
  /// space before a file is written.
  static let reasons: [String: Set<String>] = [
    "NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1", "3B52.1"],
    "NSPrivacyAccessedAPICategoryDiskSpace": ["E174.1"],
  ]

  static func manifest(of target: String) throws -> [String: Any] {
    let data = Data(try SourceTree.text(SourceTree.folder(of: target) + "/PrivacyInfo.xcprivacy").utf8)
    return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  /// Returns the categories that a manifest declares, with their reasons.
  static func declared(by target: String) throws -> [String: Set<String>] {
    let entries = try #require(try manifest(of: target)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: entries.map {
        (
          try #require($0["NSPrivacyAccessedAPIType"] as? String),
          Set(try #require($0["NSPrivacyAccessedAPITypeReasons"] as? [String]))
        )
      })
  }

  /// Returns a target and its direct and indirect dependencies in this package.
  static func closure(of target: String) -> Set<String> {
    var found: Set<String> = [target], waiting = [target]
    while let next = waiting.popLast() {
      for module in sources[next]?.imports ?? [] where found.insert(module).inserted { waiting.append(module) }
    }
    return found
  }

  /// Returns the categories of the calls in targets.
  static func called(by targets: Set<String>) -> Set<String> {
    targets.reduce(into: []) { $0.formUnion(sources[$1]?.categories ?? []) }
  }

  /// The imports of each target from this package, and the categories of its calls; read once.
  private static let sources: [String: (imports: Set<String>, categories: Set<String>)] = {
    var sources: [String: (imports: Set<String>, categories: Set<String>)] = [:]
    let files = SourceTree.swiftFiles(in: "Sources")
    let modules = Set(files.map(\.target))
    for file in files {
      // Calls in comments don't count.
      let code = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      let imports = ImportTests.imports(file).filter(modules.contains)
      sources[file.target, default: ([], [])].imports.formUnion(imports)
      sources[file.target, default: ([], [])].categories.formUnion(categories(in: code))
    }
    return sources
  }()

  // Swift's own `Regex` is a hundred times as slow on all sources.
  private static let expressions = calls.mapValues { try? NSRegularExpression(pattern: $0) }

  /// Returns the categories of the calls in a piece of code.
  static func categories(in code: String) -> Set<String> {
    let whole = NSRange(code.startIndex..., in: code)
    return Set(expressions.filter { $0.value.map { $0.firstMatch(in: code, range: whole) != nil } ?? true }.keys)
  }

  @Test("are property lists that declare no tracking and no collected data", arguments: targets)
  func declareNothingElse(target: String) throws {
    let manifest = try Self.manifest(of: target)
    #expect(
      Set(manifest.keys) == [
        "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes",
      ])
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect(
      (manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true
        && (manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
  }

  @Test(
    "declare exactly the calls of their target and its dependencies, with reasons",
    arguments: targets)
  func matchCalls(target: String) throws {
    let declared = try Self.declared(by: target)
    #expect(Set(declared.keys) == Self.called(by: Self.closure(of: target)))
    for (category, reasons) in declared { #expect(reasons == Self.reasons[category], "\(category)") }
  }

  @Test("every product for apps has a manifest for each of its calls")
  func productsAreCovered() throws {
    let products = try SourceTree.modules(where: "isProduct: true")
    #expect(products.count > 20)
    for product in products {
      let closure = Self.closure(of: product)
      #expect(closure.allSatisfy { Self.sources[$0] != nil }, "\(closure)")
      let declared = try Self.targets.filter(closure.contains).flatMap { try Self.declared(by: $0).keys }
      #expect(Self.called(by: closure).isSubset(of: Set(declared)), "\(product)")
    }
  }

  @Test("are resources only where they are needed")
  func areResources() throws {
    #expect(try SourceTree.modules(where: "hasPrivacyManifest: true") == Self.targets)
    let text = try SourceTree.text("Package.swift")
    #expect(
      text.contains(#"target.resources = [.copy("PrivacyInfo.xcprivacy")]"#)
        && text.contains(#"target.exclude.append("PrivacyInfo.xcprivacy")"#))
  }

  @Test(
    "the search finds every kind of call",
    arguments: [
      ("fstat(descriptor, &status)", "NSPrivacyAccessedAPICategoryFileTimestamp"),
      ("lstat(path, &s)", "NSPrivacyAccessedAPICategoryFileTimestamp"),
      ("[.modificationDate]", "NSPrivacyAccessedAPICategoryFileTimestamp"),
      ("values.creationDate", "NSPrivacyAccessedAPICategoryFileTimestamp"),
      ("statvfs(folder, &s)", "NSPrivacyAccessedAPICategoryDiskSpace"),
      ("fstatfs(d, &s)", "NSPrivacyAccessedAPICategoryDiskSpace"),
      (".volumeAvailableCapacityKey", "NSPrivacyAccessedAPICategoryDiskSpace"),
      ("ProcessInfo.processInfo.systemUptime", "NSPrivacyAccessedAPICategorySystemBootTime"),
      ("UserDefaults.standard", "NSPrivacyAccessedAPICategoryUserDefaults"), ("var status = stat()", nil),
      ("var s = statvfs()", nil), ("let stated = 1", nil),
    ] as [(String, String?)])
  func patterns(code: String, category: String?) {
    #expect(Self.categories(in: code) == Set(category.map { [$0] } ?? []))
  }
}
