import Foundation
import SwiftletTestSupport
import Testing

@Suite("inspect of bundles")
struct InspectBundleTests {
  private static let adding: [UInt8] = {
    var graph = TestGraph()
    let x = graph.input(.float32, [2, 3])
    graph.add(.add, [x, x], [graph.output(.float32, [2, 3])])
    return TestGraph.bytes([graph])
  }()
  private static let flooring: [UInt8] = {
    var graph = TestGraph()
    let x = graph.input(.float32, [4])
    graph.add(.floor, [x], [graph.output(.float32, [4])])
    return TestGraph.bytes([graph])
  }()

  /// Returns a bundle with a model, a file, and a nested bundle with another model.
  private func bundle(_ extra: [RawArchive.Member] = []) -> [UInt8] {
    RawArchive(
      [
        .init("first.tflite", Self.adding), .init("notes.bin", [1, 2, 3]),
        .init("inner.task", RawArchive([.init("second.tflite", Self.flooring)]).bytes),
      ] + extra
    ).bytes
  }

  @Test("lists all members, including nested bundles, and describes each model like a file")
  func json() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(bundle(), to: "hands.task")
    let result = try Tool.run("inspect", path, "--json")
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let json = try result.json()
    #expect(json["bundle"] as? String == path && json["size_bytes"] as? Int == bundle().count)
    #expect(json["supported"] as? Bool == true)
    let members = try #require(json["members"] as? [[String: Any]])
    #expect(members.map { $0["name"] as? String } == ["first.tflite", "notes.bin", "inner.task"])
    #expect(members.map { $0["kind"] as? String } == ["model", "file", "bundle"])
    #expect(members[1]["size_bytes"] as? Int == 3 && members[1]["model"] is NSNull && members[1]["members"] is NSNull)
    // Everything but the name is the same as for the file itself.
    let alone = try Tool.run("inspect", try folder.write(Self.adding, to: "first.tflite"), "--json").json()
    var first = try #require(members[0]["model"] as? [String: Any])
    #expect(first["model"] as? String == path + "/first.tflite")
    first["model"] = alone["model"]
    #expect(NSDictionary(dictionary: first) == NSDictionary(dictionary: alone))
    let inner = try #require((members[2]["members"] as? [[String: Any]])?.first)
    let second = try #require(inner["model"] as? [String: Any])
    #expect(second["model"] as? String == path + "/inner.task/second.tflite")
    let graph = try #require((second["subgraphs"] as? [[String: Any]])?.first)
    #expect((graph["operators"] as? [[String: Any]])?.map { $0["op"] as? String } == ["FLOOR"])
  }

  @Test("prints the same information as text")
  func text() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(bundle(), to: "hands.task")
    let text = try Tool.run("inspect", path).output
    #expect(text.hasPrefix("\(path): bundle of 3 members, \(bundle().count) bytes\n  first.tflite: model, "))
    #expect(text.contains("\n  notes.bin: file, 3 bytes\n  inner.task: bundle, "))
    #expect(text.contains("\n    second.tflite: model, "))
    #expect(text.contains("\n\n\(path)/first.tflite: ") && text.contains("\n  1 × FLOOR version 1\n"))
  }

  @Test("writes one page for all models, which a browser renders")
  func page() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(bundle(), to: "hands.task"), page = folder.path("page.html")
    let result = try Tool.run("inspect", path, "--html", page)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("<title>hands.task") && text.contains(#""name":"inner.task/second.tflite""#))
    let empty = try folder.write(RawArchive([.init("a.txt", [1])]).bytes, to: "empty.task")
    let refused = try Tool.run("inspect", empty, "--html", page)
    #expect(refused.status == 1 && refused.error.contains("no model that a page could show"), "\(refused.error)")
    guard Browser.isAvailable else { return }
    for (fragment, name) in [("", "ADD"), ("model=1", "FLOOR"), ("model=9", "ADD")] {
      let visit = try Browser.document(ofPage: page, fragment: fragment)
      #expect(visit.console.isEmpty && visit.document.contains(name), "\(visit.console)")
    }
  }

  @Test("describes intact members next to a damaged one, and fails")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      bundle([.init("cut.tflite", Array(Self.adding.prefix(40))), .init("cut.task", Array("PK\u{3}\u{4}".utf8))]),
      to: "hands.task")
    let result = try Tool.run("inspect", path, "--json")
    #expect(result.status == 1)
    let members = try #require(try result.json()["members"] as? [[String: Any]])
    #expect(members.map { $0["kind"] as? String } == ["model", "file", "bundle", "damaged", "damaged"])
    #expect(members[3]["error"] is String && members[4]["error"] is String && members[0]["error"] is NSNull)
  }

  @Test("rejects a truncated archive in one line")
  func cut() throws {
    let folder = try TemporaryFolder()
    let whole = RawArchive([.init("first.tflite", Self.adding)]).bytes
    let path = try folder.write(Array(whole.dropLast(30)), to: "hands.task")
    let result = try Tool.run("inspect", path)
    #expect(result.status == 1 && result.output.isEmpty && result.error.hasPrefix("error: \(path): "))
    #expect(result.error.filter { $0 == "\n" }.count == 1)
  }

  @Test("does not describe nested models endlessly")
  func many() throws {
    let folder = try TemporaryFolder()
    let members = (0..<40).map { RawArchive.Member("m\($0).tflite", Self.flooring) }
    let path = try folder.write(RawArchive(members).bytes, to: "many.task")
    let result = try Tool.run("inspect", path, "--json")
    #expect(result.status == 0 && result.error.contains("only the first 32 models"))
    let listed = try #require(try result.json()["members"] as? [[String: Any]])
    #expect(listed.count == 40 && listed.count { $0["model"] is [String: Any] } == 32)
  }
}
