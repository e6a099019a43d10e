package import Foundation
import SwiftletBase
package import SwiftletModelStore
import SwiftletTestSupport

/// A store in a temporary directory that is deleted with it, with a clock that doesn't wait.
package final class TestStore: Sendable {
  private final class Time: Sendable {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let waits = Mutex<[Duration]>([])
  }

  package let folder: URL
  package let modelStore: ModelStore
  private let time: Time

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - adjust: A closure that changes the options.
  ///   - change: A closure that changes the environment.
  package init(
    _ adjust: (inout ModelStoreOptions) -> Void = { _ in },
    environment change: (inout StoreEnvironment) -> Void = { _ in }
  ) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-store-" + UUID().uuidString)
    var options = ModelStoreOptions(directory: folder)
    options.allowsLoopbackHTTP = true
    adjust(&options)
    let time = Time()
    var environment = StoreEnvironment()
    environment.now = { time.now.withLock { $0 } }
    environment.sleep = { wait in time.waits.withLock { $0.append(wait) } }
    environment.jitter = { 0 }
    change(&environment)
    modelStore = ModelStore(options: options, environment: environment)
    self.time = time
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The delays that the store requested before its attempts.
  package var waits: [Duration] { time.waits.withLock { $0 } }

  package func advance(by seconds: Double) { time.now.withLock { $0 += seconds } }

  package var now: Date { time.now.withLock { $0 } }

  package func download(_ model: RemoteModel) async throws(ModelStoreError) -> InstalledModel {
    try await modelStore.model(model)
  }

  /// Returns the error of a download that must fail.
  package func failure(_ model: RemoteModel) async -> ModelStoreError? {
    do throws(ModelStoreError) {
      _ = try await download(model)
      return nil
    } catch {
      return error
    }
  }

  package func isInstalled(_ model: RemoteModel) -> Bool { modelStore.record(of: model) != nil }

  /// All files of the store, as paths in its directory.
  package var files: [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter {
      !((try? folder.appendingPathComponent($0).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false)
    }.sorted()
  }

  /// The visible models, by file name; they must never be incomplete.
  package var modelFiles: [String] { files.filter { $0.hasSuffix(".tflite") } }

  package func deletionError(_ model: RemoteModel) -> ModelStoreError? {
    do throws(ModelStoreError) {
      try modelStore.delete(model)
      return nil
    } catch {
      return error
    }
  }
}

/// Bytes that look like a model from the outside, which is all that the store checks.
package enum SampleModel {
  package static func bytes(_ count: Int = 100_000, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix64(state: seed)
    var bytes: [UInt8] = [28, 0, 0, 0] + Array("TFL3".utf8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
  }

  /// Returns a name that no other test uses, so that notifications can be told apart.
  package static func name(_ stem: String = "model") -> String { stem + "-" + UUID().uuidString.prefix(8) }
}

/// A source with fixed responses.
package struct FixedSource: RemoteModelSource {
  package typealias Answer = @Sendable (ModelQuery) throws(ModelStoreError) -> ModelResolution

  package var identity: String { "fixed" }
  private let answer: Answer

  package init(_ answer: @escaping Answer) { self.answer = answer }

  package func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution { try answer(query) }
}

extension RemoteModel {
  /// Returns a model whose newest version is always the given file.
  package static func fixed(_ file: RemoteModelFile, name: String = SampleModel.name()) -> RemoteModel {
    RemoteModel(name: name, source: FixedSource { _ in .file(file) })
  }
}
