document.getElementById('app')!.textContent = 'agon';
