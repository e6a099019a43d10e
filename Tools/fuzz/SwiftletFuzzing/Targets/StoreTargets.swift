import Foundation
import MLKitCommon
import ModelStoreTestSupport
import SwiftletModelStore

/// The data that the model store reads from servers and from its own directories.
enum StoreTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget("local-manifest", seeds: { SeedFiles.localManifests }) { bytes in
      let folder = TrialFolder.shared
      folder.writeOnce(Array("cat\ndog\n".utf8), to: "labels.txt")
      folder.writeOnce([1], to: "model.tflite")
      let path = folder.write(bytes, to: "local.json")
      guard let model = LocalModel(manifestPath: path) else { return }
      _ = (try? model.checkedPath(), model.labels)
    },
    FuzzTarget("store-manifest", seeds: { SeedFiles.storeManifests }) { bytes in
      _ = try? RecordedResponse(status: 200, pieces: [Data(bytes)]).manifest(request)
    },
    FuzzTarget("record", seeds: { SeedFiles.records }) { bytes in record(bytes) },
    FuzzTarget("answer", seeds: { SeedFiles.answers }) { bytes in answer(bytes) },
  ]

  private static let request = RecordedResponse.Request(
    url: URL(string: "https://example.com/model.tflite") ?? URL(fileURLWithPath: "/"),
    directory: URL(fileURLWithPath: TrialFolder.shared.path + "/store", isDirectory: true))

  /// Reads the same record in two directories, whose sizes are added.
  private static func record(_ bytes: UnsafeRawBufferPointer) {
    let folder = TrialFolder.shared, root = folder.path + "/records"
    for name in ["one", "two"] {
      try? FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
      folder.write(bytes, to: "records/\(name)/\(StoredFiles.names.record)")
    }
    guard StoredFiles.record(atPath: root + "/one/" + StoredFiles.names.record) != nil else { return }
    StoredFiles.makeRoom(in: URL(fileURLWithPath: root, isDirectory: true), limit: 1 << 20)
  }

  /// Parses a text that consists of the status, the size of the partial file, its note, headers, and an empty line,
  /// followed by the body.
  private static func answer(_ bytes: UnsafeRawBufferPointer) {
    var lines: [String] = [], rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")), lines.count < 64 {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if line.isEmpty, lines.count >= 3 { break }
      lines.append(line)
    }
    guard lines.count >= 3, let status = Int(lines[0]), let offset = Int(lines[1]) else { return }
    var headers: [String: String] = [:]
    for line in lines.dropFirst(3) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let body = Data(rest)
    let cut = min(body.count, Int(bytes.seed % 16))
    let answer = RecordedResponse(status: status, headers: headers, pieces: [body.prefix(cut), body.dropFirst(cut)])
    prepare(partial: min(max(0, offset), 1 << 16), note: lines[2])
    _ = try? answer.receive(request)
    if let document = try? answer.document(request) {
      let response = FirebaseResponse(document, model: "recorded")
      _ = (try? response.file(sha256: nil), response.failure)
    }
    _ = try? answer.manifest(request)
  }

  private static func prepare(partial count: Int, note: String) {
    let paths = request.partialPaths
    guard count > 0 else {
      unlink(paths.data)
      unlink(paths.note)
      return
    }
    try? FileManager.default.createDirectory(
      atPath: (paths.data as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try? Data(count: count).write(to: URL(fileURLWithPath: paths.data))
    try? Data(note.utf8).write(to: URL(fileURLWithPath: paths.note))
  }
}
