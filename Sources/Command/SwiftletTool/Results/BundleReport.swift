import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletBase
import SwiftletEngine
import SwiftletJSON
import SwiftletReports
import SwiftletSchema

/// The `inspect` report of a bundle: its members, the members of nested bundles, and each model as if it were a file.
struct BundleReport {
  struct Member {
    enum Content {
      case model(ModelReport)
      case bundle([Member])
      case other
      /// A damaged model or bundle, with the reason.
      case damaged(String)
      /// A model after the maximum number of models.
      case unread
    }

    var name: String
    var byteCount: Int
    var content: Content

    var kind: String {
      switch content {
      case .model, .unread: "model"
      case .bundle: "bundle"
      case .other: "file"
      case .damaged: "damaged"
      }
    }

    /// The member and all its nested members.
    var all: [Member] { if case .bundle(let members) = content { [self] + members.flatMap(\.all) } else { [self] } }
  }

  /// The maximum number of models to describe: members of a hostile bundle can all be the same large model.
  private static let maximumModels = 32

  let path: String
  let byteCount: Int
  private(set) var members: [Member] = []

  /// Whether a file is a bundle instead of a model.
  static func isBundle(_ bytes: ByteRegion) -> Bool {
    FileKind.reasonNotAModel(bytes) != nil && FileKind.reasonNotABundle(bytes) == nil
  }

  /// Reads a bundle.
  ///
  /// - Parameter options: The options that the models would run with.
  /// - Throws: `SchemaError` for a damaged archive.
  init(_ path: String, _ bytes: ByteRegion, options: RuntimeOptions) throws {
    self.path = path
    byteCount = bytes.count
    var room = Self.maximumModels
    members = try Self.members(of: try TaskBundle(bytes), in: path, options, &room)
    if all.contains(where: { if case .unread = $0.content { true } else { false } }) {
      StandardStreams.warn("\(path): only the first \(Self.maximumModels) models are described")
    }
  }

  private static func members(
    of bundle: TaskBundle, in path: String, _ options: RuntimeOptions, _ room: inout Int
  ) throws -> [Member] {
    var members: [Member] = []
    for name in bundle.memberNames {
      let place = path + "/" + name
      do {
        let bytes = try bundle.member(name)
        var member = Member(name: name, byteCount: bytes.count, content: .other)
        do {
          member.content = try content(of: name, bytes, in: bundle, place, options, &room)
        } catch {
          member.content = .damaged("\(error)")
        }
        members.append(member)
      } catch {
        members.append(Member(name: name, byteCount: 0, content: .damaged("\(error)")))
      }
    }
    return members
  }

  private static func content(
    of name: String, _ bytes: ByteRegion, in bundle: TaskBundle, _ place: String, _ options: RuntimeOptions,
    _ room: inout Int
  ) throws -> Member.Content {
    if isBundle(bytes) { return .bundle(try members(of: try bundle.bundle(name), in: place, options, &room)) }
    guard FileKind.reasonNotAModel(bytes) == nil else { return .other }
    room -= 1
    return room < 0 ? .unread : .model(ModelReport(place, try Model(bytes), options: options))
  }

  /// The members and those of nested bundles, outer ones first.
  private var all: [Member] { members.flatMap(\.all) }

  private var models: [ModelReport] {
    all.compactMap { if case .model(let report) = $0.content { report } else { nil } }
  }

  /// Whether no member is damaged.
  var isWhole: Bool { !all.contains { if case .damaged = $0.content { true } else { false } } }

  // MARK: Forms

  var json: JSONValue {
    .object([
      "bundle": .string(path), "size_bytes": .int(byteCount), "members": .array(members.map(Self.json)),
      "supported": .bool(isWhole && models.allSatisfy(\.isSupported)),
    ])
  }

  private static func json(_ member: Member) -> JSONValue {
    var (model, members, problem) = (JSONValue.null, JSONValue.null, JSONValue.null)
    switch member.content {
    case .model(let report): model = report.json
    case .bundle(let inner): members = .array(inner.map(json))
    case .damaged(let reason): problem = .string(reason)
    case .other, .unread: break
    }
    return .object([
      "name": .string(member.name), "size_bytes": .int(member.byteCount), "kind": .string(member.kind),
      "model": model, "members": members, "error": problem,
    ])
  }

  var text: String {
    var lines = ["\(path): bundle of \(members.count) members, \(byteCount) bytes"]
    func add(_ members: [Member], indentation: String) {
      for member in members {
        lines.append("\(indentation)\(member.name): \(member.kind), \(member.byteCount) bytes")
        if case .damaged(let reason) = member.content { lines.append("\(indentation)  \(reason)") }
        if case .bundle(let inner) = member.content { add(inner, indentation: indentation + "  ") }
      }
    }
    add(members, indentation: "  ")
    return lines.map { $0.sanitized + "\n" }.joined() + models.map { "\n" + $0.text }.joined()
  }

  /// The page about the bundle.
  ///
  /// - Throws: `ToolError` if it contains no model.
  var page: HTMLPage {
    get throws {
      guard !models.isEmpty else { throw ToolError(file: path, reason: "has no model that a page could show") }
      return ModelPage.page(
        BundleDescription(
          name: URL(fileURLWithPath: path).lastPathComponent, members: Self.listed(all: members),
          models: models.map { report in
            var description = report.description
            description.name = String(report.path.dropFirst(path.count + 1))
            return description
          }))
    }
  }

  /// Returns all members with their full paths; models have their index among the models.
  private static func listed(all members: [Member]) -> [BundleDescription.Member] {
    var listed: [BundleDescription.Member] = []
    var modelCount = 0
    func add(_ members: [Member], in folder: String) {
      for member in members {
        var entry = BundleDescription.Member(
          name: folder + member.name, byteCount: member.byteCount, kind: member.kind)
        if case .model = member.content {
          entry.model = modelCount
          modelCount += 1
        }
        if case .damaged(let reason) = member.content { entry.problem = reason }
        listed.append(entry)
        if case .bundle(let inner) = member.content { add(inner, in: entry.name + "/") }
      }
    }
    add(members, in: "")
    return listed
  }
}
