// Client code as in an app: it imports nothing but the facade.
import Foundation
import MLKit

/// Classifies objects with a model on a server, or with one that is bundled with the app until the download is
/// complete.
// Unchecked `Sendable`, because an app would have a view controller here, which is isolated to the main actor.
final class Naturalist: @unchecked Sendable {
  private let manager: ModelManager
  private let remoteModel: CustomRemoteModel
  private let localModel: LocalModel?
  private let localizer: LocalModel
  private(set) var downloadProgress: Progress?
  private(set) var events: [String] = []
  private var observers: [NSObjectProtocol] = []

  init(
    source: RemoteModelSource, localModel: LocalModel?, localizer: LocalModel,
    manager: ModelManager = ModelManager.modelManager()
  ) {
    self.manager = manager
    self.localModel = localModel
    self.localizer = localizer
    remoteModel = CustomRemoteModel(remoteModelSource: source)
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  /// Must be called when the app starts.
  func startDownload() {
    let downloadConditions = ModelDownloadConditions(allowsCellularAccess: true, allowsBackgroundDownloading: true)
    downloadProgress = manager.download(remoteModel, conditions: downloadConditions)
  }

  func observe(then done: @escaping @Sendable () -> Void) {
    let name = remoteModel.name
    observers = [
      NotificationCenter.default.addObserver(forName: .mlkitModelDownloadDidSucceed, object: nil, queue: nil) {
        [weak self] notification in
        guard let strongSelf = self,
          let userInfo = notification.userInfo,
          let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
          model.name == name
        else { return }
        strongSelf.events.append("downloaded")
        done()
      },
      NotificationCenter.default.addObserver(forName: .mlkitModelDownloadDidFail, object: nil, queue: nil) {
        [weak self] notification in
        guard let strongSelf = self,
          let userInfo = notification.userInfo,
          let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
          model.name == name
        else { return }
        let error = userInfo[ModelDownloadUserInfoKey.error.rawValue] as? NSError
        strongSelf.events.append("failed: \(error?.code ?? 0)")
        done()
      },
    ]
  }

  /// Returns a detector, or `nil` as long as there is no model.
  func makeDetector() -> ObjectDetector? {
    var options: CustomObjectDetectorOptions!
    if manager.isModelDownloaded(remoteModel) {
      options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    } else if let localModel = localModel {
      options = CustomObjectDetectorOptions(localModel: localModel)
    } else {
      return nil
    }
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.0)
    options.maxPerObjectLabelCount = 3
    options.localizerModel = localizer
    options.modelManager = manager
    return ObjectDetector.objectDetector(options: options)
  }
}
