// Detects faces in the camera's frames, on iOS and on Macs with Mac Catalyst: a view controller that an app can
// present.
//
// The app's Info.plist must describe why it uses the camera (NSCameraUsageDescription).
import AVFoundation
import UIKit

final class CameraViewController: UIViewController {
  private let session = AVCaptureSession()
  private let overlay = FaceOverlay()
  private var finder: FaceFinder?

  override func viewDidLoad() {
    super.viewDidLoad()
    let preview = AVCaptureVideoPreviewLayer(session: session)
    preview.frame = view.bounds
    view.layer.addSublayer(preview)
    overlay.frame = view.bounds
    overlay.backgroundColor = .clear
    view.addSubview(overlay)
    do {
      try start()
    } catch {
      print("no camera: \(error)")
    }
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    session.stopRunning()
  }

  private func start() throws {
    guard let camera = AVCaptureDevice.default(for: .video) else { return }
    let overlay = overlay
    let finder = try FaceFinder { faces, size in
      Task { @MainActor in overlay.show(faces, in: size) }
    }
    session.addInput(try AVCaptureDeviceInput(device: camera))
    let output = AVCaptureVideoDataOutput()
    output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    output.setSampleBufferDelegate(finder, queue: DispatchQueue(label: "camera"))
    session.addOutput(output)
    self.finder = finder
    session.startRunning()
  }
}
